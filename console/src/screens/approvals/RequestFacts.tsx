import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Link from '@cloudscape-design/components/link';
import { useChapter } from '../../parts/ChapterSelect';
import { LinkTo } from '../../parts/LinkTo';
import { Time } from '../../parts/Time';
import { words } from '../processes/kinds';
import type { Fact } from './facts';
import { InCurrency } from '../../parts/InCurrency';
import type { RequestDetail } from './queues';

/** What a request says. Values that the API leaves out are not shown. */
export function RequestFacts({ detail: { status, facts } }: { detail: RequestDetail }) {
  const items = facts.flatMap((fact) => {
    const value = valueOf(fact);
    return value ? [{ label: fact.label, value }] : [];
  });
  return <KeyValuePairs columns={3} items={[{ label: 'Status', value: words(status) }, ...items]} />;
}

function valueOf({ text, at, cents, chapter, membership, invoice, file }: Fact) {
  if (text) return text;
  if (at) return <Time at={at} />;
  if (typeof cents === 'number') return <InCurrency cents={cents} />;
  if (chapter) return <ChapterName id={chapter} />;
  if (membership) return <LinkTo href={`/console/memberships/${membership}`}>Open the member</LinkTo>;
  if (invoice) return <LinkTo href={`/console/invoices/${invoice}`}>Open the invoice</LinkTo>;
  if (file)
    return (
      <Link href={`/api/files/${file}/`} external>
        Open the document
      </Link>
    );
  return null;
}

const ChapterName = ({ id }: { id: string }) => <>{useChapter(id).data?.name ?? '–'}</>;
