import { useQuery } from '@tanstack/react-query'
import { FilesPanel } from '../features/files/files-panel.tsx'
import { allUsers } from '../features/users/user-queries.ts'

export default function Files({ onClose }: { onClose: () => void }) {
  const { data: people } = useQuery(allUsers)
  return <FilesPanel nameOf={(userId) => people?.find(({ id }) => id === userId)?.name} onClose={onClose} />
}
