import { ExportPanel } from '../../features/exports/export-panel.tsx'

/** Exports of everything that the owner may read. Lazy-loaded. */
export default function ExportSection() {
  return <ExportPanel scope="workspace" />
}
