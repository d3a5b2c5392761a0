import { useState } from 'react';
import { Announced } from '../../../parts/Announced';
import { Loaded } from '../../../parts/Loaded';
import { Page } from '../../../parts/Page';
import { useFilters } from '../../../parts/useFilters';
import { requestOf } from './address';
import { LeftOut } from './LeftOut';
import { Preview } from './Preview';
import { usePreview } from './queries';
import { ACTION_LABELS } from './words';

/** The preview of a bulk action: what it would do with the processes that the address names. */
export function NewBulkActionScreen() {
  const [address] = useFilters();
  const request = requestOf(address);
  const query = usePreview(request);
  const [staleHash, setStaleHash] = useState<string | null>(null);
  return (
    <Page title={`${ACTION_LABELS[request.action]} processes`} description="The preview changes nothing.">
      <Loaded query={query}>
        {(preview) => (
          <>
            {staleHash !== null && staleHash !== preview.preview_hash && (
              <Announced type="warning" header="The processes have changed: this is a new preview">
                Nothing was done. Look at the new preview, then decide again.
              </Announced>
            )}
            <Preview
              preview={preview}
              isLoading={query.isFetching}
              onStale={() => {
                setStaleHash(preview.preview_hash);
                void query.refetch();
              }}
            />
            <LeftOut preview={preview} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
