import Box from '@cloudscape-design/components/box';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useQueryClient } from '@tanstack/react-query';
import { ME_KEY, type Me } from './me';
import { type Prompt, usePrompt } from './prompts';
import { SignInForm } from './SignInForm';
import { StepUpForm } from './StepUpForm';

/** The dialog that a request has opened: to sign in again, or to authenticate again. The screen below stays as it is. */
export function SessionDialogs() {
  const prompt = usePrompt();
  if (!prompt) return null;
  return prompt.kind === 'session' ? <SessionEnded prompt={prompt} /> : <StepUp prompt={prompt} />;
}

function SessionEnded({ prompt }: { prompt: Prompt }) {
  const queries = useQueryClient();
  const before = queries.getQueryData<Me | null>(ME_KEY);
  const onSignedIn = async (): Promise<void> => {
    await queries.refetchQueries({ queryKey: ME_KEY });
    const now = queries.getQueryData<Me | null>(ME_KEY);
    // Another person must not see what the first one had open.
    if (now?.user.id !== before?.user.id) return window.location.assign('/console/');
    prompt.close(true);
  };
  return (
    <Modal visible header="Sign in again" onDismiss={() => prompt.close(false)}>
      <SpaceBetween size="l">
        <Box>{prompt.detail}</Box>
        <SignInForm onSignedIn={() => void onSignedIn()} />
      </SpaceBetween>
    </Modal>
  );
}

function StepUp({ prompt }: { prompt: Prompt }) {
  return (
    <Modal visible header="Confirm that it is you" onDismiss={() => prompt.close(false)}>
      <SpaceBetween size="l">
        <Box>{prompt.detail}</Box>
        <StepUpForm onDone={() => prompt.close(true)} />
      </SpaceBetween>
    </Modal>
  );
}
