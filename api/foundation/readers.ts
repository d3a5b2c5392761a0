import { FoundationBulletin } from '../../models/foundation/bulletins/FoundationBulletin.js';
import { defineReaders, readerOf, rowOf } from '../http/readers.js';
import { bulletinPolicy } from './bulletins/routes.js';

defineReaders({ foundation_bulletin: readerOf(bulletinPolicy, 'read', rowOf(FoundationBulletin)) });
