import { ImportPanel } from '../../features/imports/import-panel.tsx'

/** Imports from other products. Lazy-loaded. */
export default function ImportSection() {
  return <ImportPanel />
}
