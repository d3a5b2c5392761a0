import { defineErrors } from '../../../models/errors.js';

export const realtimeErrors = defineErrors({
  upgrade_required: [426, 'This address speaks WebSocket only.'],
  too_many_sockets: [429, 'You are connected too often already. Close a connection first.'],
});
