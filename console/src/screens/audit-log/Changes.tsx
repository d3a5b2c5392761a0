import Box from '@cloudscape-design/components/box';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import { tenantAddress } from '../../api/tenant';
import { LinkTo } from '../../parts/LinkTo';
import { useFilters } from '../../parts/useFilters';
import { words } from '../processes/kinds';
import type { AuditEntry } from './queries';

/** The changed fields of an entry, each with its value before and after. The opened entry is in the address. */
export function Changes({ entry }: { entry: AuditEntry }) {
  const { id, organization, before, after, erased, request_id, ip_address } = entry;
  const [{ entry: opened, page }, change] = useFilters();
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const header = fields.length === 1 ? '1 field' : `${fields.length} fields`;
  return (
    <ExpandableSection
      headerText={header}
      headerAriaLabel={`${header}: before and after`}
      expanded={opened === id}
      onChange={({ detail }) => change({ page, entry: detail.expanded ? id : undefined })}
    >
      {erased && <Box>The values were erased with the account of a person in this entry.</Box>}
      <KeyValuePairs
        columns={1}
        items={[
          ...fields.map((field) => ({
            label: words(field),
            value: `${textOf(before?.[field])} → ${textOf(after?.[field])}`,
          })),
          ...(organization
            ? [{ label: 'Organization', value: <LinkTo href={tenantAddress(organization)}>{organization}</LinkTo> }]
            : []),
          { label: 'Request', value: request_id ?? '–' },
          ...(ip_address === undefined ? [] : [{ label: 'IP address', value: ip_address ?? '–' }]),
        ]}
      />
    </ExpandableSection>
  );
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
