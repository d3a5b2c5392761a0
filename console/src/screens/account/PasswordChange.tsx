import Alert from '@cloudscape-design/components/alert';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { PasswordChangeForm } from '../../session/PasswordChangeForm';

export function PasswordChange() {
  const [isChanged, setChanged] = useState(false);
  return (
    <SpaceBetween size="m">
      {isChanged && <Alert type="success">Your password is changed, and your other sessions have ended.</Alert>}
      <PasswordChangeForm onChanged={() => setChanged(true)} />
    </SpaceBetween>
  );
}
