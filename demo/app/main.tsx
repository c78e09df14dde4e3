import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { getFrame } from './frame.ts';
import { connect } from './session.ts';

createRoot(getFrame('view')).render(<App session={await connect()} />);
