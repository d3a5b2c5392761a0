import { useFilters } from '../../parts/useFilters';
import { Page } from '../../parts/Page';
import { Failure } from '../../parts/Failure';
import { useScreens } from '../../parts/useScreens';
import { NewRunForm } from './NewRunForm';
import { Preview } from './Preview';
import { type DuesRunRequest, useNewDuesRun, usePreview } from './queries';

/** A new run: what it issues is previewed, and the run issues exactly this. Its input is in the address. */
export function NewDuesRunScreen() {
  const [{ term = '', due_date = '', notify }] = useFilters();
  const { open } = useScreens();
  const request: DuesRunRequest = { term, due_date, notify: notify !== 'false' };
  const preview = usePreview();
  const start = useNewDuesRun(({ id }) => open(`/console/dues-runs/${id}`));
  const ask = (): void => {
    start.reset();
    preview.mutate(request);
  };
  // The preview of another input is not shown.
  const isCurrent = JSON.stringify(preview.variables) === JSON.stringify(request);
  const { data } = preview;
  return (
    <Page title="New dues run" description="The preview changes nothing.">
      <NewRunForm isPreviewing={preview.isPending} error={isCurrent ? preview.error : null} onPreview={ask} />
      {start.error && <Failure error={start.error} retry={ask} />}
      {isCurrent && data && (
        <Preview
          preview={data}
          isStarting={start.isPending}
          onStart={() => start.mutate({ ...request, preview_hash: data.preview_hash })}
        />
      )}
    </Page>
  );
}
