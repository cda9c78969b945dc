import { useBackCloses } from '../../ui/device/back-closes.ts'

/** Has Back close a part of the frame while it is open. Load it lazily. */
export default function BackCloses({ onBack }: { onBack: () => void }) {
  useBackCloses(onBack)
  return null
}
