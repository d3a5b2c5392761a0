/** Requests of the screens about imports. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Result, Schema } from 'chapter-membership-client';
import { useEffect } from 'react';
import { client } from '../../api/client';
import { POLLED } from '../../api/polling';
import { send } from '../../api/send';
import { useList } from '../../api/useList';
import { givenFilters } from '../../parts/givenFilters';
import { PAGE_SIZE } from '../../parts/RowsTable';
import { useOrganizationId } from '../../parts/useOrganizationId';

export type Import = Schema<'BulkImport'>;
export type ImportLine = Schema<'ImportLine'>;
export type OnExisting = Schema<'ImportConfirmation'>['on_existing'];

type Filters = Record<string, string | undefined>;

export function useImports(filters: Filters) {
  const organization_id = useOrganizationId();
  const query = { ...givenFilters(filters, ['outcome', 'page']), page_size: PAGE_SIZE };
  return useList(
    ['imports', organization_id, query],
    () => client.GET('/api/organizations/{organization_id}/imports/', { params: { path: { organization_id }, query } }),
    { enabled: organization_id !== '' },
  );
}

/** Uploads a table. Its lines are read afterwards. */
export function useUpload() {
  const organization_id = useOrganizationId();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (file: File) => {
      const body = new FormData();
      body.append('file', file);
      return send(() =>
        client.POST('/api/organizations/{organization_id}/imports/', { params: { path: { organization_id } }, body }),
      );
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['imports'] }),
  });
}

const importKey = (id: string): string[] => ['import', id];

/** Most steps of small tables take less time than this. */
const FIRST_LOOK_MS = 1_500;

/** An import. While a step runs, the import is read once after a short time, and then like other live data. */
export function useImport(id: string) {
  const query = useQuery({
    queryKey: importKey(id),
    queryFn: () => send(() => client.GET('/api/imports/{id}/', { params: { path: { id } } })),
    ...POLLED,
  });
  const { refetch } = query;
  const step = query.data?.step ?? null;
  useEffect(() => {
    if (step === null) return undefined;
    const timer = setTimeout(() => void refetch(), FIRST_LOOK_MS);
    return () => clearTimeout(timer);
  }, [step, refetch]);
  return query;
}

/** The lines of an import with the filters of the address. They are read again when the import has changed. */
export function useLines(shown: Import, filters: Filters) {
  const { id, stage, step, preview_hash, rows_created, rows_updated, rows_failed, rows_undone } = shown;
  const query = { ...givenFilters(filters, ['outcome', 'result', 'page']), page_size: PAGE_SIZE };
  const state = [stage, step, preview_hash, rows_created, rows_updated, rows_failed, rows_undone].join();
  const request = () => client.GET('/api/imports/{id}/rows/', { params: { path: { id }, query } });
  return useList(['import-lines', id, query, state], request);
}

/** Sends a request about an import, whose answer replaces the shown import. */
function useImportChange<Variables = void>(id: string, request: (given: Variables) => Promise<Result<Import>>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given: Variables) => send(() => request(given)),
    onSuccess: (shown) => queries.setQueryData(importKey(id), shown),
    // After a lost answer, the import tells what has happened.
    onError: () => queries.invalidateQueries({ queryKey: importKey(id) }),
  });
}

const at = (id: string) => ({ params: { path: { id } } });

/** Sets which columns are which fields. @param id of the import */
export const useMapping = (id: string) =>
  useImportChange(id, (body: Schema<'ImportMapping'>) => client.PUT('/api/imports/{id}/mapping/', { ...at(id), body }));

export const usePreview = (id: string) => useImportChange(id, () => client.POST('/api/imports/{id}/preview/', at(id)));

export const useProcess = (id: string) =>
  useImportChange(id, (body: Schema<'ImportConfirmation'>) =>
    client.POST('/api/imports/{id}/process/', { ...at(id), body }),
  );

export const useInvitations = (id: string) =>
  useImportChange(id, () => client.POST('/api/imports/{id}/send-invitations/', at(id)));

export const useCancel = (id: string) => useImportChange(id, () => client.POST('/api/imports/{id}/cancel/', at(id)));

export const useUndo = (id: string) => useImportChange(id, () => client.POST('/api/imports/{id}/undo/', at(id)));

/** Corrects cells of a line. The API previews the line at once; all lines must be previewed again before the import. */
export function useCorrection(id: string, row_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: Record<string, string>) =>
      send(() =>
        client.PATCH('/api/imports/{id}/rows/{row_id}/', { params: { path: { id, row_id } }, body: { values } }),
      ),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: importKey(id) }),
        queries.invalidateQueries({ queryKey: ['import-lines', id] }),
      ]),
  });
}

/** Reads the invalid and failed lines with their reasons, as a table to correct and upload again. */
export const useErrorsTable = (id: string) =>
  useMutation({ mutationFn: () => send(() => client.GET('/api/imports/{id}/errors.csv/', at(id))) });
