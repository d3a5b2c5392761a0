import { Failure } from '../parts/Failure';
import { Page } from '../parts/Page';

/** Replaces a screen whose code has failed. */
export const BrokenScreen = ({ error }: { error: unknown }) => (
  <Page title="This screen has failed">
    <Failure error={error} retry={() => window.location.reload()} />
  </Page>
);
