/** The step that takes out of the stores what was given up, by hand. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { removeNextFiles as step } from '../../activities/organizations/removeFiles.js';

export const removeNextFiles = (): Promise<boolean> => new MockActivityEnvironment().run(step);
