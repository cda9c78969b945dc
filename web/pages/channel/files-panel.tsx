import { useQuery } from '@tanstack/react-query'
import { FilesPanel } from '../../features/files/files-panel.tsx'
import { allUsers } from '../../features/users/user-queries.ts'

interface Props {
  selectedId: string | undefined
  onClose: () => void
}

export default function Files(props: Props) {
  const { data: people } = useQuery(allUsers)
  return <FilesPanel nameOf={(userId) => people?.find(({ id }) => id === userId)?.name} {...props} />
}
