/** Types of calls, derived from the description of the API. */
import type { ParamsOption, RequestBodyOption } from 'openapi-fetch';
import type { components, paths } from './generated/api.js';

/** A named schema of the description, for example `Schema<'Invoice'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The addresses that have a method. */
export type PathOf<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends Record<M, { responses: unknown }> ? Path : never;
}[keyof paths];

export type Operation<Path extends keyof paths, M extends Method> = paths[Path][M & keyof paths[Path]];

type OkStatus = 200 | 201 | 202 | 204;
type ValueOf<T> = T[keyof T];

/** JSON is parsed, text is a string, and every other file is a Blob. */
type ContentOf<Answer> = Answer extends { content: infer Content }
  ? ValueOf<{
      [Media in keyof Content]: Media extends `${string}/json`
        ? Content[Media]
        : Media extends `text/${string}`
          ? string
          : Blob;
    }>
  : undefined;

type SuccessOf<Op> = Op extends { responses: infer Answers }
  ? { [Status in keyof Answers & OkStatus]: ContentOf<Answers[Status]> }[keyof Answers & OkStatus]
  : never;

/** The data of a successful call, for example `Data<'/api/auth/me/', 'get'>`. */
export type Data<Path extends keyof paths, M extends Method> = SuccessOf<Operation<Path, M>>;

type BodyOf<Op> = Op extends { requestBody: { content: { 'multipart/form-data': unknown } } }
  ? { body: FormData }
  : RequestBodyOption<Op>;

/** Options of one call: its parameters and body as described, and how to send it. */
export type CallOptions<Op> = ParamsOption<Op> &
  BodyOf<Op> & {
    /** Aborts the call. A GET then rejects with the reason of the signal. */
    signal?: AbortSignal | undefined;
    /** Default: the client's. */
    timeoutMs?: number | undefined;
  };

/** The options are optional where the operation requires none. */
export type CallArguments<Op> = {} extends CallOptions<Op> ? [options?: CallOptions<Op>] : [options: CallOptions<Op>];

interface Page {
  next: string | null;
  results: unknown[];
}

/** The page with which a list answers. Some lists answer with a table as well, by `format`. */
export type PageOf<Path extends PathOf<'get'>> = Extract<Data<Path, 'get'>, Page>;

/** The addresses of paginated lists. */
export type PagedPath = {
  [Path in PathOf<'get'>]: [PageOf<Path>] extends [never] ? never : Path;
}[PathOf<'get'>];

/** A row of a paginated list. */
export type Row<Path extends PagedPath> = PageOf<Path> extends { results: (infer One)[] } ? One : never;
