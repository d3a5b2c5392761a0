import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import { useState } from 'react';
import { Failure } from '../../parts/Failure';
import { FilterSelect } from '../../parts/FilterSelect';
import { LinkTo } from '../../parts/LinkTo';
import { RowsTable } from '../../parts/RowsTable';
import { useFilters } from '../../parts/useFilters';
import { words } from '../processes/kinds';
import { CorrectLine } from './CorrectLine';
import { LINE_OUTCOMES, LINE_RESULTS } from './labels';
import { type Import, type ImportLine, useErrorsTable, useLines } from './queries';
import { saveCsv } from '../../parts/saveCsv';

/** The lines: what each would do, what it has done, and why not. Lines can be corrected before the import. */
export function Lines({ shown }: { shown: Import }) {
  const [filters] = useFilters();
  const [open, setOpen] = useState<ImportLine | null>(null);
  const errors = useErrorsTable(shown.id);
  const query = useLines(shown, filters);
  const isCorrectable = shown.step === null && shown.outcome === null;
  const nameOf = ({ cells }: ImportLine): string =>
    ['first_name', 'last_name', 'email'].map((field) => cells[shown.mapping[field] ?? -1] ?? '').join(' ');
  const columns = [
    { id: 'line', header: 'Line', cell: ({ line }: ImportLine) => line, isRowHeader: true },
    { id: 'name', header: 'Person', cell: (line: ImportLine) => <Person line={line} name={nameOf(line)} /> },
    {
      id: 'outcome',
      header: 'Preview',
      cell: ({ outcome }: ImportLine) => (outcome === null ? '–' : LINE_OUTCOMES[outcome]),
    },
    { id: 'notes', header: 'Changes and problems', cell: (line: ImportLine) => <Notes line={line} /> },
    shown.stage === 'processing'
      ? { id: 'result', header: 'Result', cell: ({ result }: ImportLine) => LINE_RESULTS[result] }
      : {
          id: 'correct',
          header: 'Correct',
          cell: (line: ImportLine) => (
            <Button
              variant="inline-link"
              disabled={!isCorrectable}
              ariaLabel={`Correct line ${line.line}`}
              onClick={() => setOpen(line)}
            >
              Correct
            </Button>
          ),
        },
  ];
  const download = (
    <Button
      iconName="download"
      loading={errors.isPending}
      onClick={() => errors.mutate(undefined, { onSuccess: (table) => saveCsv('import-errors.csv', table) })}
    >
      Lines with errors as CSV
    </Button>
  );
  return (
    <>
      <ColumnLayout columns={2}>
        <FilterSelect label="In the preview" name="outcome" all="All lines" options={LINE_OUTCOMES} />
        {shown.stage === 'processing' && (
          <FilterSelect label="Result" name="result" all="All results" options={LINE_RESULTS} />
        )}
      </ColumnLayout>
      {errors.error && <Failure error={errors.error} />}
      <RowsTable<ImportLine>
        query={query}
        title="Lines"
        columns={columns}
        rowId={({ id }) => id}
        empty="There are no such lines."
        actions={download}
      />
      {open && <CorrectLine key={open.id} shown={shown} line={open} onClose={() => setOpen(null)} />}
    </>
  );
}

function Person({ line: { membership }, name }: { line: ImportLine; name: string }) {
  return membership === null ? name : <LinkTo href={`/console/memberships/${membership}`}>{name}</LinkTo>;
}

/** What a line would change, and what is wrong with it. */
function Notes({ line: { errors, warnings, changes, fields_left, why } }: { line: ImportLine }) {
  const notes = [
    ...Object.entries(errors).map(([field, texts]) => `${words(field)}: ${texts.join(' ')}`),
    ...warnings,
    ...Object.entries(changes).map(([field, [before, after]]) => `${words(field)}: ${before ?? 'empty'} → ${after}`),
    ...Object.entries(fields_left).map(([field, reason]) => `${words(field)} stays: ${words(reason).toLowerCase()}`),
    ...(why === null ? [] : [words(why)]),
  ];
  return notes.length === 0 ? (
    '–'
  ) : (
    <>
      {notes.map((note) => (
        <Box key={note}>{note}</Box>
      ))}
    </>
  );
}
