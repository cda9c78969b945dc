import { useQuery } from '@tanstack/react-query'
import { can } from '#contract/can'
import { sharedChannels } from '../../features/channels/cache/channel-queries.ts'
import { AccountList } from '../../features/identity/account-list.tsx'
import { SecondFactorDemand } from '../../features/identity/factors/second-factor-demand.tsx'
import { GuestInvite } from '../../features/identity/guest-invite.tsx'
import { InviteLinks } from '../../features/identity/invite-links.tsx'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { AdminPart } from './admin-part.tsx'

/** Invite links and accounts, as in the workspace's dialog. Lazy-loaded. */
export default function PeopleSection() {
  const me = useMe()
  const { data: channels = [] } = useQuery(sharedChannels)
  return (
    <>
      <AdminPart title={t('identity.invites.title')}>
        <InviteLinks />
      </AdminPart>
      <AdminPart title={t('identity.guests.title')} hint={t('identity.guests.hint')}>
        <GuestInvite channels={channels.filter((channel) => can.inviteTo(me, channel))} />
      </AdminPart>
      <AdminPart title={t('identity.accounts.title')}>
        <AccountList isOnPage />
      </AdminPart>
      <AdminPart title={t('demand.title')} hint={t('demand.hint')}>
        <SecondFactorDemand />
      </AdminPart>
    </>
  )
}
