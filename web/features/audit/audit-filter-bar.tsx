import { X } from 'lucide-react'
import { type AuditTopic, auditTopicNames } from '#contract/audit'
import { limits } from '#contract/limits'
import { t } from '../../i18n/text.ts'
import { SearchField } from '../../ui/input/search-field.tsx'
import { Segments } from '../../ui/input/segments.tsx'

export const periods = ['any', 'day', 'week', 'month'] as const

export interface ChosenFilters {
  topic: AuditTopic | 'all'
  period: (typeof periods)[number]
  person: { id: string; name: string } | undefined
  query: string
}

interface Props {
  chosen: ChosenFilters
  onChange: (changed: Partial<ChosenFilters>) => void
}

const topicNames = (): Record<AuditTopic | 'all', string> => ({
  all: t('audit.topic.all'),
  access: t('audit.topic.access'),
  people: t('audit.topic.people'),
  channels: t('audit.topic.channels'),
  content: t('audit.topic.content'),
  retention: t('audit.topic.retention'),
  data: t('audit.topic.data'),
})
const periodNames = (): Record<ChosenFilters['period'], string> => ({
  any: t('audit.period.any'),
  day: t('audit.period.day'),
  week: t('audit.period.week'),
  month: t('audit.period.month'),
})

export function AuditFilterBar({ chosen, onChange }: Props) {
  const [topics, times] = [topicNames(), periodNames()]
  return (
    <div className="grid gap-2">
      <SearchField
        label={t('audit.search')}
        value={chosen.query}
        onChange={(query) => onChange({ query })}
        maxLength={limits.query}
        isFocused={false}
      />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-1">
        <Segments
          legend={t('audit.topic.title')}
          name="audit-topic"
          options={(['all', ...auditTopicNames] as const).map((value) => ({ value, label: topics[value] }))}
          value={chosen.topic}
          onChange={(topic) => onChange({ topic })}
        />
        <Segments
          legend={t('audit.period.title')}
          name="audit-period"
          options={periods.map((value) => ({ value, label: times[value] }))}
          value={chosen.period}
          onChange={(period) => onChange({ period })}
        />
        {chosen.person && (
          <button
            type="button"
            aria-label={t('audit.removePerson', { name: chosen.person.name })}
            onClick={() => onChange({ person: undefined })}
            className="flex h-8 items-center gap-1.5 rounded-s border border-pine bg-pine-wash px-2.5 font-[550] text-ui hover:bg-hover pointer-coarse:h-11"
          >
            <bdi>{chosen.person.name}</bdi>
            <X size={14} className="text-soft" />
          </button>
        )}
      </div>
    </div>
  )
}
