import { AtSign, Hash, Monitor, Moon, Settings, Sun } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/input/button.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { Field } from '../ui/input/field.tsx'
import { IconButton } from '../ui/input/icon-button.tsx'
import { RadioCards } from '../ui/input/radio-cards.tsx'
import { RadioGroup } from '../ui/input/radio-group.tsx'
import { SearchField } from '../ui/input/search-field.tsx'
import { SearchSelect } from '../ui/input/search-select.tsx'
import { Segments } from '../ui/input/segments.tsx'
import { Select } from '../ui/input/select.tsx'
import { ARABIC, type Exhibit, Focused, LONG, Row, State } from './samples.tsx'

const looks = ['plain', 'line', 'pine', 'danger'] as const
const states = ['rest', 'hover', 'focus', 'active'] as const
const ignore = () => {}
const shown = [
  { value: 'all', label: 'All' },
  { value: 'unread', label: 'Unread (12)' },
]
const words = [
  { value: 'arabic', label: ARABIC },
  { value: 'long', label: LONG },
]

const names = words.map(({ value, label }) => ({ value, name: label }))

export const inputs: Exhibit[] = [
  {
    name: 'Button',
    show: () => (
      <div className="flex flex-col gap-3">
        {looks.map((look) => (
          <Row key={look}>
            {states.map((state) => (
              <State key={state} name={`${look}, ${state}`}>
                <Button variant={look} data-state={state}>
                  Save
                </Button>
              </State>
            ))}
            <State name="disabled">
              <Button variant={look} disabled>
                Uploading...
              </Button>
            </State>
          </Row>
        ))}
        <Row>
          <State name="with an icon">
            <Button variant="line">
              <Hash size={16} />
              Create Channel
            </Button>
          </State>
          <State name="right-to-left">
            <Button variant="pine">{ARABIC}</Button>
          </State>
        </Row>
      </div>
    ),
  },
  {
    name: 'IconButton',
    show: () => (
      <Row>
        {states.map((state) => (
          <State key={state} name={state}>
            <IconButton name="Settings" data-state={state}>
              <Settings size={16} />
            </IconButton>
          </State>
        ))}
        <State name="disabled">
          <IconButton name="Settings" disabled>
            <Settings size={16} />
          </IconButton>
        </State>
        <State name="with a key">
          <IconButton name="Mention someone" keys="@">
            <AtSign size={16} />
          </IconButton>
        </State>
      </Row>
    ),
  },
  { name: 'Field', show: () => <Fields /> },
  {
    name: 'Checkbox',
    show: () => (
      <div className="flex flex-col gap-3">
        <Checkbox label="Private" hint="Only invited people can see it." />
        <Checkbox label="Private" hint="Checked." defaultChecked />
        <Checkbox label="Private" hint="With the focus." data-state="focus" />
        <Checkbox label="Private" hint="Disabled." disabled />
        <Checkbox label={ARABIC} hint={LONG.replaceAll('-', ' ').repeat(3)} />
      </div>
    ),
  },
  { name: 'RadioCards', show: () => <Choices /> },
  { name: 'RadioGroup', show: () => <Themes /> },
  {
    name: 'SearchField',
    show: () => (
      <div className="flex flex-col gap-3">
        <SearchField label="Search users..." value="" onChange={ignore} maxLength={100} />
        <Focused>
          <SearchField label="Search members..." value={ARABIC} onChange={ignore} maxLength={100} />
        </Focused>
      </div>
    ),
  },
  {
    name: 'SearchSelect',
    show: () => (
      <div className="flex flex-col gap-3">
        <SearchSelect label="Channel or person" options={names} value={undefined} onChange={ignore} />
        <SearchSelect label="Channel or person" options={names} value="long" onChange={ignore} />
      </div>
    ),
  },
  {
    name: 'Segments',
    show: () => (
      <div className="flex flex-col gap-3">
        <Segments legend="Threads shown" name="threads" options={shown} value="all" onChange={ignore} />
        <Focused>
          <Segments legend="Words" name="words" options={words} value="arabic" onChange={ignore} />
        </Focused>
      </div>
    ),
  },
  {
    name: 'Select',
    show: () => (
      <div className="flex flex-col gap-3">
        <Select
          label="Share with"
          hint="Files appear in Files."
          options={conversations}
          value="design"
          onChange={ignore}
        />
        <Select label="Long and right to left" options={conversations} value="long" onChange={ignore} />
        <Select label="Disabled" options={conversations} value="arabic" onChange={ignore} disabled />
      </div>
    ),
  },
]

const conversations = [
  { value: 'design', name: 'design', Icon: Hash },
  { value: 'long', name: LONG.repeat(3), Icon: Hash },
  { value: 'arabic', name: ARABIC, Icon: Hash },
]

function Fields() {
  return (
    <div className="flex flex-col gap-3">
      <Field label="Name" placeholder="Empty" />
      <Focused>
        <Field
          label="Name, with the focus"
          defaultValue="design-review"
          before={<Hash size={16} className="text-soft" />}
        />
      </Focused>
      <Field
        label="Username"
        defaultValue="a"
        error="Use 3 to 30 letters (a–z), digits, dots, hyphens or underscores"
      />
      <Field label="Topic" dir="auto" defaultValue={ARABIC} hint="Shown next to the channel name." />
      <Field label="Name" defaultValue={LONG.repeat(2)} hint="Keep it short, in lowercase. You can change it later." />
      <Field label="Email" disabled defaultValue="ada@example.com" />
    </div>
  )
}

const themes = {
  light: { name: 'Light', Icon: Sun },
  dark: { name: 'Dark', Icon: Moon },
  system: { name: 'System', Icon: Monitor },
}
let groups = 0

function Themes() {
  const [theme, setTheme] = useState<keyof typeof themes>('light')
  // It is rendered once per theme, and each group needs its own name.
  const [name] = useState(() => `theme-${groups++}`)
  return <RadioGroup legend="Theme" name={name} options={themes} value={theme} onChoose={setTheme} />
}

function Choices() {
  const [level, setLevel] = useState('mentions')
  const options = [
    { value: 'everything', name: 'Everything', hint: 'Every message.' },
    { value: 'mentions', name: 'Mentions and threads', hint: LONG.replaceAll('-', ' ') },
    { value: 'nothing', name: ARABIC },
  ]
  return <RadioCards legend="Notify me of" options={options} value={level} onChoose={setLevel} />
}
