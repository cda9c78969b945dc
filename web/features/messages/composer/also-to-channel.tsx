import type { Channel } from '#contract/channels'
import { t } from '../../../i18n/text.ts'
import { Checkbox } from '../../../ui/input/checkbox.tsx'
import { nameOf } from '../actions/conversation-context.tsx'

interface Props {
  channel: Channel
  isChosen: boolean
  choose: (isChosen: boolean) => void
}

/** Chooses whether the channel is to show a reply as well. Lazy-loaded. */
export default function AlsoToChannel({ channel, isChosen, choose }: Props) {
  const place = nameOf(channel)
  return (
    <div className="min-h-8 px-3 pb-2 text-soft">
      <Checkbox
        label={place ? t('messages.composer.alsoTo', { place }) : t('messages.composer.alsoHere')}
        checked={isChosen}
        onChange={({ target }) => choose(target.checked)}
      />
    </div>
  )
}
