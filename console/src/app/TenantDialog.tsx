import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Modal from '@cloudscape-design/components/modal';
import Select, { type SelectProps } from '@cloudscape-design/components/select';
import { useState } from 'react';
import { client } from '../api/client';
import { tenantAddress } from '../api/tenant';
import { useList } from '../api/useList';
import { describeFailure } from '../parts/Failure';
import { useFocusedInput } from '../parts/useFocusedInput';

/** Asks a platform admin for the organization to work in, and opens the console there. */
export function TenantDialog({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState('');
  const control = useFocusedInput<SelectProps.Ref>();
  const query = { page_size: 50, ...(search && { search }) };
  const { data, error } = useList(['organizations', query], () =>
    client.GET('/api/organizations/', { params: { query } }),
  );
  return (
    <Modal visible header="Choose an organization" onDismiss={onClose}>
      <FormField label="Organization" errorText={error && describeFailure(error).text}>
        <Select
          ref={control}
          selectedOption={null}
          placeholder="Type its name"
          filteringType="manual"
          filteringPlaceholder="Name or slug"
          options={data?.results.map(({ id, name, slug }) => ({ value: id, label: name, description: slug })) ?? []}
          statusType={data ? 'finished' : 'loading'}
          loadingText="Loading"
          empty={<Box>No organization has such a name.</Box>}
          onLoadItems={({ detail }) => setSearch(detail.filteringText)}
          onChange={({ detail }) => window.location.assign(tenantAddress(detail.selectedOption.value ?? ''))}
        />
      </FormField>
    </Modal>
  );
}
