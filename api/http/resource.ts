/**
 * Plain resources: rows of a model that are listed, read, created, changed and removed under an organization. These
 * functions return ordinary routes. Where a resource needs more, write that route out instead.
 *
 *     const region = resource(Region, { policy: regionPolicy, tags });
 *     export const regionRoutes = routes('/api/organizations/:organization_id/regions', [
 *       region.list({ summary: 'Regions, by name', orderBy: ['name'] }),
 *       region.create({ summary: 'Create a region', errors: [refuse.duplicate] }),
 *       patch('/:id/', { … }, async ({ actor, params, body }) => { … }),
 *     ]);
 */
import type { Model } from 'sequelize';
import { z } from 'zod';
import { createRow, editRow, lockForEdit, removeRow } from '../../models/database/model/change.js';
import type { Columns, Kind } from '../../models/database/model/defineModel.js';
import { readPage, readRow, readRows } from '../../models/database/model/read.js';
import {
  createBody,
  editBody,
  filterFields,
  type ApiNames,
  rowJson,
  toColumns,
} from '../../models/database/model/schemas.js';
import { type ErrorDefinition, refuse } from '../../models/errors.js';
import { pageOf, pageQuery, pageRequest, presentPage } from './pagination.js';
import { OrganizationParams, OrganizationRowParams } from './params.js';
import { authorize, by, type Policy } from './policy.js';
import { del, get, patch, post } from './routes.js';

interface RouteTexts {
  /** One line for the docs. */
  summary: string;
  description?: string;
  errors?: ErrorDefinition[];
}

/**
 * Returns functions that make the routes of a resource.
 * @param policy its `read` grants access to lists and rows, its `write` to changes
 */
export function resource<C extends Columns>(
  model: Kind<Model, C>,
  { policy, tags }: { policy: Policy<'read' | 'write'>; tags: readonly string[] },
) {
  const kind: Kind = model;
  const json = rowJson(kind);
  const reads = { access: 'tenant', tags, rule: by(policy, 'read') } as const;
  const writes = { access: 'tenant', tags, rule: by(policy, 'write') } as const;

  return {
    /** Lists all rows as a bare array, for resources of which an organization has few. */
    list: ({ orderBy, ...texts }: RouteTexts & { orderBy: (keyof C & string)[] }) =>
      get('/', { ...reads, ...texts, params: OrganizationParams, response: z.array(json) }, async ({ actor }) => {
        authorize(actor, policy, 'read');
        return readRows(kind, orderBy);
      }),

    /** Lists rows by pages. @param filters fields that a query may filter by. @param ordering made by `ordering()` */
    page: ({
      ordering,
      filters = [],
      ...texts
    }: RouteTexts & { ordering: z.ZodType<string>; filters?: ApiNames<C>[] }) =>
      get(
        '/',
        {
          ...reads,
          ...texts,
          params: OrganizationParams,
          query: z.object({ ...pageQuery, ...filterFields(kind, filters), ordering }),
          response: pageOf(json),
        },
        async ({ actor, query, request }) => {
          authorize(actor, policy, 'read');
          const { ordering: orderBy, page: _, page_size: __, ...where } = query;
          const page = await readPage(kind, { where: toColumns(kind, where), orderBy, ...pageRequest(query) });
          return presentPage(page, query, request, (row) => row);
        },
      ),

    read: (texts: RouteTexts) =>
      get('/:id/', { ...reads, ...texts, params: OrganizationRowParams, response: json }, async ({ actor, params }) => {
        authorize(actor, policy, 'read');
        return readRow(kind, params.id);
      }),

    create: (texts: RouteTexts) =>
      post(
        '/',
        { ...writes, ...texts, params: OrganizationParams, body: createBody(kind), response: json, status: 201 },
        async ({ actor, body }) => {
          authorize(actor, policy, 'write');
          const row = await createRow(kind, toColumns(kind, body));
          return readRow(kind, row.get('id') as string);
        },
      ),

    /** Edits a row. Refuses with stale_version when the given version is not the row's current one. */
    change: ({ errors = [], ...texts }: RouteTexts) =>
      patch(
        '/:id/',
        {
          ...writes,
          ...texts,
          params: OrganizationRowParams,
          body: editBody(kind),
          response: json,
          errors: [refuse.stale_version, ...errors],
        },
        async ({ actor, params, body }) => {
          authorize(actor, policy, 'write');
          await editRow(await lockForEdit(kind, params.id), toColumns(kind, body));
          return readRow(kind, params.id);
        },
      ),

    remove: (texts: RouteTexts) =>
      del('/:id/', { ...writes, ...texts, params: OrganizationRowParams }, async ({ actor, params }) => {
        authorize(actor, policy, 'write');
        await removeRow(kind, params.id);
      }),
  };
}
