import { z } from 'zod';
import { isVisible } from '../fields.js';

/** Markdown that a member types. It is not trimmed, because its first line may be indented code. */
export const markdownText = (longest: number) => z.string().refine(isVisible, 'Must not be empty.').max(longest);
