import { defineErrors } from '../../../models/errors.js';

export const realtimeErrors = defineErrors({
  upgrade_required: [426, 'This address accepts only WebSocket connections. Send an `Upgrade: websocket` header.'],
  too_many_sockets: [429, 'You have too many open connections. Close one first.'],
});
