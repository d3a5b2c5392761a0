/** Every process, by the name under which Temporal knows it. */
export { applyProcessorEvent } from './applyProcessorEvent.js';
export { checkSamlConnections } from './checkSamlConnections.js';
export { deleteAccount } from './deleteAccount.js';
export { hostedPage } from './hostedPage.js';
export { giveBackPayment } from './giveBackPayment.js';
export { issueDues } from './issueDues.js';
export { markOverdue } from './markOverdue.js';
export { markOverdueEverywhere } from './markOverdueEverywhere.js';
export { notificationDelivery } from './notificationDelivery.js';
export { notificationFanout } from './notificationFanout.js';
export { notificationRedispatch } from './notificationRedispatch.js';
export { payRemittance } from './payRemittance.js';
export { platformAlert } from './platformAlert.js';
export { pushPrune } from './pushPrune.js';
export { recoverProcesses } from './recoverProcesses.js';
export { sendAccountNotice } from './sendAccountNotice.js';
export { sendOverdueNotices } from './sendOverdueNotices.js';
