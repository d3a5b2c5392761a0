import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { DayFilter } from '../../parts/DayFilter';
import { describeFailure, Failure, fieldError } from '../../parts/Failure';
import { useFilters } from '../../parts/useFilters';
import { useTerms } from './queries';

interface NewRunFormProps {
  isPreviewing: boolean;
  /** Why there is no preview. */
  error: unknown;
  onPreview: () => void;
}

const FIELDS = ['term', 'due_date'];

/** Term and due date of a run, and whether payers are notified. */
export function NewRunForm({ isPreviewing, error, onPreview }: NewRunFormProps) {
  const [{ term, notify }, change] = useFilters();
  const terms = useTerms();
  const choices = terms.data?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  const isOfField = FIELDS.some((field) => fieldError(error, field) !== undefined);
  const refused = fieldError(error, 'term');
  const termFault = terms.error ? describeFailure(terms.error).text : refused && (term ? refused : 'Choose a term.');
  return (
    <Container>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onPreview();
        }}
      >
        <SpaceBetween size="m">
          <ColumnLayout columns={2}>
            <FormField label="Term" stretch errorText={termFault}>
              <Select
                options={choices}
                selectedOption={choices.find(({ value }) => value === term) ?? null}
                placeholder="Choose a term"
                statusType={terms.isPending ? 'loading' : 'finished'}
                loadingText="Loading"
                empty="The organization has no term."
                onChange={({ detail }) => change({ term: detail.selectedOption.value })}
              />
            </FormField>
            <DayFilter label="Due date" name="due_date" errorText={fieldError(error, 'due_date')} />
          </ColumnLayout>
          <Checkbox
            checked={notify !== 'false'}
            onChange={({ detail }) => change({ notify: detail.checked ? undefined : 'false' })}
          >
            Notify payers of their new invoices
          </Checkbox>
          {Boolean(error) && !isOfField && <Failure error={error} />}
          <Button variant="primary" formAction="submit" loading={isPreviewing}>
            Preview
          </Button>
        </SpaceBetween>
      </form>
    </Container>
  );
}
