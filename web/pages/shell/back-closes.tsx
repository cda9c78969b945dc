import { useBackCloses } from '../../ui/device/back-closes.ts'

/** `useBackCloses` as a component, so that it can be loaded lazily. */
export default function BackCloses({ onBack }: { onBack: () => void }) {
  useBackCloses(onBack)
  return null
}
