import ButtonDropdown, { type ButtonDropdownProps } from '@cloudscape-design/components/button-dropdown';
import { useFilters } from '../../../parts/useFilters';
import { useScreens } from '../../../parts/useScreens';
import type { ProcessRow } from '../queries';
import { previewOfFilter, previewOfIds } from './address';
import { ACTION_LABELS } from './words';

interface ChooseActionProps {
  selected: ProcessRow[];
  /** Number of processes that match the filter. */
  count: number;
}

const ACTIONS = ['retry', 'cancel'] as const;

/** Opens the preview of a bulk action on the selected processes, or on all that match the filter. */
export function ChooseAction({ selected, count }: ChooseActionProps) {
  const [filters] = useFilters();
  const { open } = useScreens();
  const ids = selected.map(({ id }) => id);
  const choices = ACTIONS.flatMap((action) => [
    {
      id: `${action} selected`,
      text: `${ACTION_LABELS[action]} the selected processes (${ids.length})`,
      disabled: ids.length === 0,
      disabledReason: 'Select processes first.',
      address: previewOfIds(action, ids),
    },
    {
      id: `${action} all`,
      text: `${ACTION_LABELS[action]} all that match the filter (${count.toLocaleString()})`,
      disabled: count === 0,
      disabledReason: 'No process matches the filter.',
      address: previewOfFilter(action, filters),
    },
  ]);
  const items: ButtonDropdownProps.Items = choices.map(({ address: _address, ...item }) => item);
  return (
    <ButtonDropdown
      items={items}
      onItemClick={({ detail }) => {
        const choice = choices.find(({ id }) => id === detail.id);
        if (choice) open(choice.address);
      }}
    >
      Retry or cancel
    </ButtonDropdown>
  );
}
