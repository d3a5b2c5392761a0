import Button from '@cloudscape-design/components/button';

interface CsvButtonProps {
  /** The request that downloads the rows. */
  csv: { isPending: boolean; mutate: () => void };
}

/** Downloads the rows of a table as a file. */
export const CsvButton = ({ csv }: CsvButtonProps) => (
  <Button iconName="download" loading={csv.isPending} onClick={() => csv.mutate()}>
    Download as CSV
  </Button>
);
