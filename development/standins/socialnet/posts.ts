/** Posts at the network (LinkedIn Posts API). A post with the same text is refused as a duplicate. */
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import { escapeHtml } from '../kit/html.js';
import type { Grants } from './grants.js';

export interface StoredPost {
  id: string;
  author: string;
  commentary: string;
  createdAt: number;
}

const refused = (status: number, message: string): Answer => jsonAnswer(status, { status, message });

export class Posts {
  private readonly posts: StoredPost[] = [];

  constructor(private readonly grants: Grants) {}

  newest(): readonly StoredPost[] {
    return this.posts.toReversed();
  }

  publish(exchange: Exchange, body: string): Answer {
    const author = this.authorOf(exchange);
    if (typeof author !== 'string') return author;
    const post = JSON.parse(body) as { author?: string; commentary?: string; lifecycleState?: string };
    if (post.author !== author) return refused(403, 'The author is not the member of this token.');
    if (!post.commentary || post.commentary.length > 6_000) return refused(422, 'The commentary is not valid.');
    if (post.lifecycleState !== 'PUBLISHED') return refused(422, 'lifecycleState is not valid.');
    const same = this.posts.find((one) => one.author === author && one.commentary === post.commentary);
    if (same) return refused(422, `Content is a duplicate of ${same.id}`);
    const id = `urn:li:share:${7_000_000_000_000 + this.posts.length}`;
    this.posts.push({ id, author, commentary: post.commentary, createdAt: Date.now() });
    return { status: 201, body: '', headers: { 'x-restli-id': id } };
  }

  find(exchange: Exchange): Answer {
    const author = this.authorOf(exchange);
    if (typeof author !== 'string') return author;
    const { searchParams } = exchange.url;
    if (searchParams.get('q') !== 'author' || searchParams.get('author') !== author) return refused(403, 'Not yours.');
    const elements = this.newest().filter((one) => one.author === author);
    return jsonAnswer(200, { elements: elements.slice(0, Number(searchParams.get('count') ?? 10)) });
  }

  shown(): string {
    return this.newest()
      .map(({ author, commentary }) => `<p><b>${escapeHtml(author)}</b><br>${escapeHtml(commentary)}</p>`)
      .join('');
  }

  private authorOf(exchange: Exchange): string | Answer {
    if (!/^\d{6}$/.test(exchange.header('linkedin-version') ?? '')) return refused(400, 'A version is needed.');
    const holder = this.grants.holderOf(exchange.header('authorization'));
    if (!holder) return refused(401, 'The token is not valid.');
    if (!holder.scope.includes('w_member_social')) return refused(403, 'Not enough permissions.');
    return `urn:li:person:${holder.sub}`;
  }
}
