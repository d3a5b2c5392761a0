import { createRoot } from 'react-dom/client';
import { App } from './app/App';
import { applyDisplayMode } from './app/displayMode';
import { reloadOnMissingChunk } from './app/reloadOnMissingChunk';
import './app/page.css';

reloadOnMissingChunk();
applyDisplayMode();
createRoot(document.getElementById('app') as HTMLElement).render(<App />);
