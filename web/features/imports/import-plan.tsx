import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { InputOf } from '#contract/endpoint'
import type { Import, ImportedPerson, ImportPlan, startImport, TopicsAs } from '#contract/imports'
import { limits } from '#contract/limits'
import { dateFormat, formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { allUsers } from '../../people/user-queries.ts'
import { fileSize } from '../../ui/format/file-size.ts'
import { Button } from '../../ui/input/button.tsx'
import { Field } from '../../ui/input/field.tsx'
import { Select } from '../../ui/input/select.tsx'
import { omissionText } from './import-texts.ts'
import { ImportTopics } from './import-topics.tsx'
import { type SlackChoice, SlackFiles } from './slack-files.tsx'

/** New names of channels, and accounts of people, by their keys in the archive. */
export interface Choices {
  channels: Record<string, string>
  people: Record<string, string>
  slack: SlackChoice
  /** What topics become, if not what the report says. */
  topics: TopicsAs | undefined
}

export const NO_CHOICES: Choices = {
  channels: {},
  people: {},
  slack: { isFetched: true, token: '' },
  topics: undefined,
}

export const planChoices = ({ format, plan }: Import, choices: Choices): InputOf<typeof startImport>['body'] => ({
  ...listsOf(choices),
  ...(plan?.topics && { topics: plan.topics.as }),
  ...(format === 'slack' && plan?.linked && choices.slack.isFetched && { slack: tokenOf(choices.slack) }),
})

/** For a call: nothing if the field is empty. */
export const tokenOf = ({ token }: Pick<SlackChoice, 'token'>) => {
  // Pasted text may contain spaces and invisible characters.
  const typed = token.replace(/[^!-~]/g, '')
  return typed ? { token: typed } : {}
}

const listsOf = ({ channels, people }: Choices) => ({
  channels: Object.entries(channels).flatMap(([key, name]) => (name.trim() ? [{ key, name: name.trim() }] : [])),
  people: Object.entries(people).flatMap(([key, userId]) => (userId ? [{ key, userId }] : [])),
})

interface Props {
  plan: ImportPlan
  format: string | null
  /** Undefined once it is imported. */
  choices: Choices | undefined
  /** Why the token was refused. */
  tokenProblem: string | undefined
  onChoose: (choices: Choices) => void
  /** Whether the archive is being read again, and why that has failed. */
  reading: { isReading: boolean; problem: string | undefined; onReadAgain: () => void }
}

/** What an archive contains, what will not be imported, and what the owner can choose. */
export function ImportPlanView({ plan, format, choices, tokenProblem, onChoose, reading }: Props) {
  const renamed = plan.channelList.filter(({ name, newName, isKnown }) => !isKnown && name !== newName)
  const known = plan.channelList.filter(({ isKnown }) => isKnown).length
  return (
    <>
      <Summary plan={plan} />
      {choices && plan.expiring > 0 && (
        <p className="mt-4 rounded-m bg-ember-wash px-3 py-2.5 text-pretty text-ui">
          {t('imports.expiring', { count: plan.expiring })}
        </p>
      )}
      {known > 0 && <p className="mt-4 text-soft text-ui">{t('imports.knownChannels', { count: known })}</p>}
      {choices && format === 'slack' && plan.linked && (
        <Part title={t('imports.slack.title')}>
          <SlackFiles
            linked={plan.linked}
            choice={choices.slack}
            problem={tokenProblem}
            onChoose={(slack) => onChoose({ ...choices, slack })}
          />
        </Part>
      )}
      {choices && plan.topics && (
        <Part title={t('imports.topics.title')}>
          <ImportTopics
            topics={plan.topics}
            choice={choices.topics ?? plan.topics.as}
            onChoose={(topics) => onChoose({ ...choices, topics })}
            {...reading}
          />
        </Part>
      )}
      <Omitted plan={plan} isImported={!choices} />
      {plan.notFetched && <NotFetched {...plan.notFetched} />}
      {choices && renamed.length > 0 && (
        <Part title={t('imports.renamedTitle')} hint={t('imports.renamedHint')}>
          <div className="grid gap-3 wide:grid-cols-2">
            {renamed.map(({ key, name, newName }) => (
              <Field
                key={key}
                label={t('imports.newName', { name })}
                value={choices.channels[key] ?? newName}
                maxLength={limits.channelName}
                onChange={({ target }) =>
                  onChoose({ ...choices, channels: { ...choices.channels, [key]: target.value } })
                }
              />
            ))}
          </div>
        </Part>
      )}
      {choices && <People people={plan.personList} choices={choices} onChoose={onChoose} />}
    </>
  )
}

/** What won't be imported, or wasn't. */
function Omitted({ plan: { linked, omitted }, isImported }: { plan: ImportPlan; isImported: boolean }) {
  if (omitted.length === 0 && (isImported || linked?.files)) return null
  return (
    <Part title={isImported ? t('imports.leftOutTitle') : t('imports.omittedTitle')}>
      {omitted.length === 0 && <p className="text-soft text-ui">{t('imports.nothingOmitted')}</p>}
      <ul>
        {omitted.map(({ omission, count, examples }) => (
          <li key={omission} className="border-line border-t py-2 text-ui first:border-t-0">
            <span className="flex gap-3">
              <span className="min-w-0 flex-1">{omissionText(omission)}</span>
              <span className="flex-none text-soft tabular-nums">{formatNumber(count)}</span>
            </span>
            {examples.length > 0 && (
              <span dir="auto" className="block truncate text-faint text-meta">
                {examples.join(' · ')}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}

/** The names of files that Slack doesn't have or refuses. */
const NotFetched = ({ count, names }: NonNullable<ImportPlan['notFetched']>) => (
  <Part title={t('imports.notFetched', { count })}>
    <ul
      aria-label={t('imports.notFetched', { count })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
      tabIndex={0}
      className="max-h-60 overflow-y-auto rounded-s text-soft text-ui"
    >
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several files may have one name, and the list only grows
        <li key={index} dir="auto" className="wrap-anywhere">
          {name}
        </li>
      ))}
    </ul>
    {names.length < count && (
      <p className="mt-1 text-meta text-soft">{t('imports.notFetchedMore', { count: count - names.length })}</p>
    )}
  </Part>
)

const listed = (...facts: unknown[]) => facts.filter(Boolean).join(', ')

function Summary({ plan }: { plan: ImportPlan }) {
  const day = dateFormat({ dateStyle: 'medium' })
  const { channels, firstAt, lastAt } = plan
  const facts: [name: string, count: number, more: string | undefined][] = [
    [
      t('imports.messages'),
      plan.messages,
      listed(
        plan.replies > 0 && t('imports.replies', { count: plan.replies }),
        plan.pins && t('imports.pinned', { count: plan.pins }),
      ),
    ],
    [
      t('imports.channels'),
      channels.public + channels.private,
      listed(
        t('imports.channelKinds', { public: channels.public, private: channels.private }),
        plan.archived && t('imports.archived', { count: plan.archived }),
      ),
    ],
    [t('imports.direct'), channels.direct, undefined],
    [
      t('imports.people'),
      plan.people,
      listed(
        plan.matched > 0 && t('imports.peopleHave', { count: plan.matched }),
        plan.bots > 0 && t('imports.bots', { count: plan.bots }),
      ),
    ],
    [t('imports.files'), plan.files, plan.files > 0 ? fileSize(plan.fileBytes) : undefined],
    [t('imports.reactions'), plan.reactions, plan.emoji ? t('imports.emoji', { count: plan.emoji }) : undefined],
  ]
  return (
    <>
      <dl className="mt-5 grid grid-cols-2 overflow-hidden rounded-l border border-line wide:grid-cols-3">
        {facts.map(([name, count, more]) => (
          <div key={name} className="-mb-px -me-px border-line border-e border-b px-4 py-3">
            <dt className="text-meta text-soft">{name}</dt>
            <dd className="mt-0.5 font-[620] text-title tabular-nums">{formatNumber(count)}</dd>
            <dd className="min-h-[1.25em] text-faint text-meta">{more}</dd>
          </div>
        ))}
      </dl>
      {firstAt && lastAt && (
        <p className="mt-2 text-meta text-soft">
          {t('imports.span', { first: day.format(new Date(firstAt)), last: day.format(new Date(lastAt)) })}
        </p>
      )}
    </>
  )
}

const FEW = 8

/** The recognized people, and choices of accounts for the others. */
function People({
  people,
  choices,
  onChoose,
}: {
  people: ImportedPerson[]
  choices: Choices
  onChoose: Props['onChoose']
}) {
  const [isAll, setAll] = useState(false)
  const { data: users = [] } = useQuery(allUsers)
  if (people.length === 0) return null
  const options = [
    { value: '', name: t('imports.newAccount') },
    ...users.map(({ id, name, username }) => ({ value: id, name: `${name} (@${username})` })),
  ]
  return (
    <Part title={t('imports.matchTitle')} hint={t('imports.matchHint')}>
      <ul className="grid gap-4">
        {people.slice(0, isAll ? undefined : FEW).map(({ key, name, email, user, unproven }) => (
          <li key={key}>
            {user ? (
              <p className="text-ui">
                <bdi className="block font-[550]">{t('imports.accountOf', { name })}</bdi>
                <bdi className="text-soft">{`${user.name} (@${user.username})`}</bdi>
              </p>
            ) : (
              <Select
                label={t('imports.accountOf', { name })}
                {...(email !== null && {
                  hint: unproven ? t('imports.unproven', { email, username: unproven.username }) : email,
                })}
                options={options}
                value={choices.people[key] ?? ''}
                onChange={(userId) => onChoose({ ...choices, people: { ...choices.people, [key]: userId } })}
              />
            )}
          </li>
        ))}
      </ul>
      {!isAll && people.length > FEW && (
        <Button variant="line" className="mt-4" onClick={() => setAll(true)}>
          {t('imports.showAll', { count: people.length })}
        </Button>
      )}
    </Part>
  )
}

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mt-6 border-line border-t pt-6">
      <h3 className="font-[620] text-body">{title}</h3>
      {hint && <p className="mt-1 max-w-prose text-pretty text-soft text-ui">{hint}</p>}
      <div className="mt-3">{children}</div>
    </section>
  )
}
