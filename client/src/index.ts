/** Typed client of the chapter membership platform. */
export { createClient, type Client, type ClientOptions } from './createClient.js';
export type { ClientEvent } from './events.js';
export type { ErrorCode, Refused, Result, Unknown } from './result.js';
export type { Tokens, TokenStore } from './tokens.js';
export type { CallOptions, Data, PagedPath, PathOf, Row, Schema } from './types.js';
