import Checkbox from '@cloudscape-design/components/checkbox';
import Link from '@cloudscape-design/components/link';
import { useScreens } from '../../../parts/useScreens';
import type { Change } from '../queries';

interface CheckProps {
  line: Change;
  isChecked: boolean;
  onToggle: () => void;
}

/** The tick of a line that pays an invoice of a member who has none in the remittance. */
export function Check({ line: { payer_name, invoice }, isChecked, onToggle }: CheckProps) {
  const { addressOf } = useScreens();
  return (
    <>
      <Checkbox checked={isChecked} onChange={onToggle}>
        Checked: {payer_name} is to be paid for
      </Checkbox>
      <Link
        href={addressOf(`/console/invoices/${invoice}`)}
        target="_blank"
        external
        externalIconAriaLabel="Opens in a new tab"
      >
        Look at the invoice
      </Link>
    </>
  );
}
