import Box from '@cloudscape-design/components/box';
import FormField from '@cloudscape-design/components/form-field';
import Input, { type InputProps } from '@cloudscape-design/components/input';
import { useState } from 'react';
import { Failure, fieldError } from '../../parts/Failure';
import { FormDialog } from '../../parts/FormDialog';
import { useFocusedInput } from '../../parts/useFocusedInput';
import { words } from '../processes/kinds';
import { type Import, type ImportLine, useCorrection } from './queries';

interface CorrectLineProps {
  shown: Import;
  line: ImportLine;
  onClose: () => void;
}

/** Corrects a line. Fields with errors come first, and the first of them has the focus. */
export function CorrectLine({ shown, line, onClose }: CorrectLineProps) {
  const [values, setValues] = useState<Record<string, string>>({});
  const [errors, setErrors] = useState(line.errors);
  const correction = useCorrection(shown.id, line.id);
  const first = useFocusedInput<InputProps.Ref>();
  const fields = Object.entries(shown.mapping).toSorted(
    ([one], [other]) => Number(other in line.errors) - Number(one in line.errors),
  );
  const submit = (): void => {
    if (correction.isPending) return;
    correction.mutate(values, {
      onSuccess: (corrected) => {
        setErrors(corrected.errors);
        if (Object.keys(corrected.errors).length === 0) onClose();
      },
    });
  };
  // Errors that belong to no column, for example a second line with the same address.
  const others = Object.entries(errors).filter(([field]) => !(field in shown.mapping));
  return (
    <FormDialog
      title={`Correct line ${line.line}`}
      send="Save the line"
      isSending={correction.isPending}
      onSend={submit}
      onClose={onClose}
    >
      {others.map(([field, texts]) => (
        <Box key={field} color="text-status-error">
          {words(field)}: {texts.join(' ')}
        </Box>
      ))}
      {fields.map(([field, column], at) => (
        <FormField
          key={field}
          label={words(field)}
          errorText={fieldError(correction.error, `values.${field}`) ?? errors[field]?.join(' ')}
          stretch
        >
          <Input
            {...(at === 0 && { ref: first })}
            value={values[field] ?? line.cells[column] ?? ''}
            onChange={({ detail }) => setValues({ ...values, [field]: detail.value })}
          />
        </FormField>
      ))}
      {correction.error && <Failure error={correction.error} />}
      {/* A form with several fields sends with Enter only if it has a button. */}
      <input type="submit" hidden />
    </FormDialog>
  );
}
