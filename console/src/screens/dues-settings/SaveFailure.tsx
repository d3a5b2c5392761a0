import { isRefusedAs } from '../../api/send';
import { Announced } from '../../parts/Announced';
import { Failure } from '../../parts/Failure';

/** Says why a form was not saved. After a change by another person, its fields show the new values. */
export const SaveFailure = ({ error }: { error: unknown }) =>
  isRefusedAs(error, 'stale_version') ? (
    <Announced type="warning" header="Another person has changed this meanwhile">
      Nothing was saved. What has changed is shown at its field. To replace it with what you have typed, save again.
    </Announced>
  ) : (
    <Failure error={error} />
  );
