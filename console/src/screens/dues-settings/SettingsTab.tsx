import Button from '@cloudscape-design/components/button';
import ColumnLayout from '@cloudscape-design/components/column-layout';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { Announced } from '../../parts/Announced';
import { fieldError } from '../../parts/Failure';
import { Loaded } from '../../parts/Loaded';
import { changedTo } from './changedTo';
import { FIELDS, type FieldName, GROUPS, textOf, valueOf } from './fields';
import { type DuesSettings, useSettings, useSettingsChange } from './queries';
import { SaveFailure } from './SaveFailure';
import { SettingField } from './SettingField';

/** How dues are billed, reminded of and paid in installments. */
export function SettingsTab() {
  return <Loaded query={useSettings()}>{(settings) => <SettingsForm settings={settings} />}</Loaded>;
}

function SettingsForm({ settings }: { settings: DuesSettings }) {
  /** The settings from which the person started. */
  const [opened, setOpened] = useState(settings);
  const [typed, setTyped] = useState<Partial<Record<FieldName, string>>>({});
  const [done, setDone] = useState(false);
  const { mutate, isPending, error, reset } = useSettingsChange();
  const { currency, version } = settings;
  const edited = FIELDS.filter(
    (field) => typed[field.name] !== undefined && typed[field.name] !== textOf(field, settings[field.name], currency),
  );
  const save = (): void => {
    if (isPending) return;
    const change = Object.fromEntries(
      edited.map((field) => [field.name, valueOf(field, typed[field.name] ?? '', currency)]),
    );
    mutate(
      { ...change, version },
      {
        onSuccess: (saved) => {
          setOpened(saved);
          setTyped({});
          setDone(true);
        },
      },
    );
  };
  const isAtField = FIELDS.some(({ name }) => fieldError(error, name) !== undefined);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <SpaceBetween size="l">
        {done && <Announced type="success" header="The settings are saved." />}
        {GROUPS.map(({ title, fields }) => (
          <Container key={title} header={<Header variant="h2">{title}</Header>}>
            <ColumnLayout columns={3}>
              {fields.map((field) => (
                <SettingField
                  key={field.name}
                  field={field}
                  currency={currency}
                  value={typed[field.name] ?? textOf(field, settings[field.name], currency)}
                  errorText={fieldError(error, field.name)}
                  constraintText={changedTo(
                    textOf(field, opened[field.name], currency),
                    textOf(field, settings[field.name], currency),
                  )}
                  onChange={(text) => {
                    setDone(false);
                    setTyped({ ...typed, [field.name]: text });
                  }}
                />
              ))}
            </ColumnLayout>
          </Container>
        ))}
        {Boolean(error) && !isAtField && <SaveFailure error={error} />}
        <SpaceBetween direction="horizontal" size="xs">
          <Button
            variant="primary"
            formAction="submit"
            loading={isPending}
            disabled={edited.length === 0}
            disabledReason="Nothing is changed."
          >
            Save
          </Button>
          <Button
            formAction="none"
            onClick={() => {
              setOpened(settings);
              setTyped({});
              reset();
            }}
          >
            Discard changes
          </Button>
        </SpaceBetween>
      </SpaceBetween>
    </form>
  );
}
