import { LinkTo } from '../../../parts/LinkTo';
import { PreviewTable } from '../../../parts/PreviewTable';
import type { BulkActionPreview } from './queries';
import { refusalText } from './words';

type LeftOutProcess = BulkActionPreview['left_out'][number];

const COLUMNS = [
  {
    id: 'label',
    header: 'Process',
    cell: ({ id, label }: LeftOutProcess) =>
      label === null ? 'Unknown process' : <LinkTo href={`/console/processes/${id}`}>{label}</LinkTo>,
    isRowHeader: true,
  },
  { id: 'why', header: 'Why', cell: ({ code }: LeftOutProcess) => refusalText(code) },
];

/** The processes that the bulk action would leave as they are, each with the reason. */
export const LeftOut = ({ preview: { left_out } }: { preview: BulkActionPreview }) => (
  <PreviewTable title="Left out" items={left_out} columns={COLUMNS} empty="No process is left out." />
);
