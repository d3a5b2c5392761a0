import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Result } from 'chapter-membership-client';
import { useState } from 'react';
import { client } from '../../api/client';
import { send } from '../../api/send';
import { Failure, fieldError } from '../../parts/Failure';
import { OwnRow } from './OwnRow';
import { OwnRows } from './OwnRows';

const KEY = ['emails'];

export function Addresses() {
  const queries = useQueryClient();
  const query = useQuery({ queryKey: KEY, queryFn: () => send(() => client.GET('/api/auth/emails/')) });
  const onSettled = () => queries.invalidateQueries({ queryKey: KEY });
  const change = useMutation({
    mutationFn: (request: () => Promise<Result<unknown>>) => send(request),
    onSettled,
  });
  return (
    <OwnRows
      title="E-mail addresses"
      query={query}
      error={change.error}
      empty="There are no addresses."
      footer={<NewAddress onAdded={() => void onSettled()} />}
    >
      {({ id, email, is_primary, is_verified }) => {
        const at = { params: { path: { id } } };
        return (
          <OwnRow
            name={email}
            details={[is_verified ? 'verified' : 'not verified', ...(is_primary ? ['primary'] : [])].join(', ')}
            actions={
              <>
                {!is_verified && (
                  <Button
                    variant="inline-link"
                    ariaLabel={`Resend the mail to ${email}`}
                    onClick={() => change.mutate(() => client.POST('/api/auth/emails/{id}/resend/', at))}
                  >
                    Resend the mail
                  </Button>
                )}
                {is_verified && !is_primary && (
                  <Button
                    variant="inline-link"
                    ariaLabel={`Make ${email} the primary address`}
                    onClick={() => change.mutate(() => client.POST('/api/auth/emails/{id}/make-primary/', at))}
                  >
                    Make primary
                  </Button>
                )}
                {!is_primary && (
                  <Button
                    variant="inline-link"
                    ariaLabel={`Remove ${email}`}
                    onClick={() => change.mutate(() => client.DELETE('/api/auth/emails/{id}/', at))}
                  >
                    Remove
                  </Button>
                )}
              </>
            }
          />
        );
      }}
    </OwnRows>
  );
}

function NewAddress({ onAdded }: { onAdded: () => void }) {
  const [email, setEmail] = useState('');
  const add = useMutation({
    mutationFn: () => send(() => client.POST('/api/auth/emails/', { body: { email } })),
    onSuccess: () => {
      setEmail('');
      onAdded();
    },
  });
  const fault = fieldError(add.error, 'email');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!add.isPending) add.mutate();
      }}
    >
      <SpaceBetween size="s">
        <FormField label="Another address" description="A mail with a link verifies it." errorText={fault}>
          <Input type="email" autoComplete="email" value={email} onChange={({ detail }) => setEmail(detail.value)} />
        </FormField>
        {add.error && !fault && <Failure error={add.error} />}
        <Button formAction="submit" loading={add.isPending}>
          Add the address
        </Button>
      </SpaceBetween>
    </form>
  );
}
