import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FileUpload from '@cloudscape-design/components/file-upload';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type FormEvent, useState } from 'react';
import { Failure } from '../../parts/Failure';
import { FilterSelect } from '../../parts/FilterSelect';
import { LinkTo } from '../../parts/LinkTo';
import { Page } from '../../parts/Page';
import { RowsTable } from '../../parts/RowsTable';
import { Time } from '../../parts/Time';
import { useFilters } from '../../parts/useFilters';
import { useScreens } from '../../parts/useScreens';
import { ImportState } from './ImportState';
import { OUTCOME_LABELS } from './labels';
import { type Import, useImports, useUpload } from './queries';

const COLUMNS = [
  {
    id: 'file',
    header: 'File',
    cell: ({ id, file_name }: Import) => <LinkTo href={`/console/imports/${id}`}>{file_name}</LinkTo>,
    isRowHeader: true,
  },
  { id: 'state', header: 'State', cell: (shown: Import) => <ImportState shown={shown} /> },
  { id: 'lines', header: 'Lines', cell: ({ rows_total }: Import) => rows_total },
  { id: 'added', header: 'Added', cell: ({ rows_created }: Import) => rows_created },
  { id: 'uploaded', header: 'Uploaded', cell: ({ created_at }: Import) => <Time at={created_at} /> },
];

/** Imports of rosters, and the upload of a table. */
export function ImportsScreen() {
  const [filters] = useFilters();
  return (
    <Page title="Imports" description="No member changes before you confirm a preview.">
      <Upload />
      <FilterSelect label="Outcome" name="outcome" all="All imports" options={OUTCOME_LABELS} />
      <RowsTable<Import>
        query={useImports(filters)}
        title="Imports"
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty="There are no such imports."
      />
    </Page>
  );
}

function Upload() {
  const [files, setFiles] = useState<File[]>([]);
  const { open } = useScreens();
  const upload = useUpload();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const [file] = files;
    if (file && !upload.isPending) upload.mutate(file, { onSuccess: ({ id }) => open(`/console/imports/${id}`) });
  };
  return (
    <Container header={<Header variant="h2">New import</Header>}>
      <form onSubmit={submit}>
        <SpaceBetween size="m">
          <FormField label="Table of members" description="CSV or XLSX, up to 20 MB and 50,000 lines">
            <FileUpload
              value={files}
              onChange={({ detail }) => setFiles(detail.value)}
              accept=".csv,.xlsx,.txt,.tsv"
              showFileSize
              i18nStrings={{
                uploadButtonText: () => 'Choose a file',
                dropzoneText: () => 'Drop a file here',
                removeFileAriaLabel: () => 'Remove the file',
                limitShowFewer: 'Show fewer files',
                limitShowMore: 'Show more files',
                errorIconAriaLabel: 'Error',
              }}
            />
          </FormField>
          {upload.error && <Failure error={upload.error} />}
          <Button variant="primary" formAction="submit" disabled={files.length === 0} loading={upload.isPending}>
            Upload
          </Button>
        </SpaceBetween>
      </form>
    </Container>
  );
}
