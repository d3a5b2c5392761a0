import StatusIndicator from '@cloudscape-design/components/status-indicator';

export const AccountStatus = ({ isDisabled }: { isDisabled: boolean }) =>
  isDisabled ? (
    <StatusIndicator type="stopped">Disabled</StatusIndicator>
  ) : (
    <StatusIndicator type="success">Active</StatusIndicator>
  );
