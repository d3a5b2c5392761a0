/** Forums for tests, created by an admin of the organization over HTTP. */
import { randomUUID } from 'node:crypto';
import type { ApiWorld } from './apiWorld.js';
import type { Client } from './api.js';
import { asOwner } from './owner.js';
import type { Person } from './world.js';

export interface ForumFields {
  name?: string;
  chapter?: string | null;
  region?: string | null;
  visibility?: 'open' | 'approval_required' | 'invite_only';
}

/** Requests about forums, with a client for each person. */
export class Forums {
  constructor(private readonly stage: ApiWorld) {}

  /** A forum of the officer's chapter, unless another place is named. @returns its id */
  async create(fields: ForumFields = {}): Promise<string> {
    const place = 'region' in fields ? {} : { chapter: this.stage.world.chapterId };
    const made = await this.stage.admin.post('/api/forums/', { name: 'Housing', ...place, ...fields });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.body.id;
  }

  /** A post. @returns its id */
  async post(forum: string, author: Client, fields: Record<string, unknown> = {}): Promise<string> {
    const made = await author.post(pathOf(forum, 'posts'), { title: 'Keys', body: 'Who has them?', ...fields });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    return made.body.id;
  }

  /** Makes a person a member by a row, without any request. @returns the id of the membership */
  async add(forum: string, person: Pick<Person, 'userId'>, role = 'member', fields: Record<string, unknown> = {}) {
    const [made] = await asOwner<{ id: string }>(
      `INSERT INTO forum_memberships (organization_id, forum_id, user_id, role, status, by_invitation)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
      [
        this.stage.world.organizationId,
        forum,
        person.userId,
        role,
        fields['status'] ?? 'active',
        fields['by_invitation'] ?? false,
      ],
    );
    return (made as { id: string }).id;
  }

  /** The row of a person. */
  async row(forum: string, { userId }: Pick<Person, 'userId'>) {
    const [row] = await asOwner<{ id: string; status: string; role: string }>(
      'SELECT id, status, role FROM forum_memberships WHERE forum_id = $1 AND user_id = $2',
      [forum, userId],
    );
    return row ?? null;
  }
}

export const pathOf = (forum: string, ...more: string[]): string => `/api/forums/${[forum, ...more].join('/')}/`;

/** An idempotency key. */
export const aKey = (): string => randomUUID();
