import { useQuery } from '@tanstack/react-query'
import { t } from '../../../i18n/text.ts'
import { sharedChannels } from '../cache/channel-queries.ts'
import MembersDialog from './members-dialog.tsx'

/** The members of the workspace, who are all in #general. Lazy-loaded. */
export default function EveryoneDialog({ onClose }: { onClose: () => void }) {
  const { data: channels = [] } = useQuery(sharedChannels)
  const general = channels.find(({ isGeneral }) => isGeneral)
  return general ? <MembersDialog channel={general} title={t('shell.menu.people')} onClose={onClose} /> : null
}
