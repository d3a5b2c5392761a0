import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { Failure } from '../parts/Failure';
import { Page } from '../parts/Page';

const reload = (): void => window.location.reload();

/** Replaces a screen whose code could not be loaded, or has failed. */
export const BrokenScreen = ({ error }: { error: unknown }) => (
  <Page title="This screen cannot be shown">
    {navigator.onLine ? (
      <Failure error={error} retry={reload} />
    ) : (
      <Alert type="error" action={<Button onClick={reload}>Try again</Button>}>
        There is no connection. Try again when you are online.
      </Alert>
    )}
  </Page>
);
