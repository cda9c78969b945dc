import { Avatar } from '../ui/avatar.tsx'
import { Logo } from '../ui/brand.tsx'
import { CountBadge } from '../ui/count-badge.tsx'
import { Faces, PairOfFaces } from '../ui/faces.tsx'
import { FileIcon } from '../ui/file-icon.tsx'
import { FileName } from '../ui/file-name.tsx'
import { Names } from '../ui/names.tsx'
import { PresenceDot } from '../ui/presence-dot.tsx'
import { Rolling } from '../ui/rolling.tsx'
import { Tag } from '../ui/tag.tsx'
import { ARABIC, type Exhibit, LONG, people, Row, State } from './samples.tsx'

const sizes = ['xs', 's', 'm', 'l', 'xl'] as const
const files = ['image/png', 'video/mp4', 'audio/mpeg', 'application/pdf', 'text/plain']
  .map((type) => ({ type, name: type }))
  .concat(['a.csv', 'a.zip', 'a.md', 'a.ts', 'a.log'].map((name) => ({ type: 'text/plain', name })))

/** Small parts that only display something. */
export const signs: Exhibit[] = [
  {
    name: 'Avatar',
    show: () => (
      <Row>
        {people.map((person) => (
          <State key={person.id} name={person.username}>
            <span className="flex items-end gap-1.5">
              {sizes.map((size) => (
                <Avatar key={size} size={size} {...person} />
              ))}
            </span>
          </State>
        ))}
      </Row>
    ),
  },
  {
    name: 'Brand',
    show: () => (
      <Row>
        {[16, 24, 48].map((size) => (
          <State key={size} name={`${size}`}>
            <Logo size={size} />
          </State>
        ))}
      </Row>
    ),
  },
  {
    name: 'CountBadge',
    show: () => (
      <Row>
        {[0, 1, 12, 99, 100].map((count) => (
          <State key={count} name={`${count}`}>
            <CountBadge count={count} label={`${count} mentions`} />
          </State>
        ))}
      </Row>
    ),
  },
  {
    name: 'Rolling',
    show: () => <Rolling of="">12</Rolling>,
  },
  {
    name: 'FileName',
    show: () => (
      <Row>
        {['minutes.txt', `${LONG}.pdf`, `${ARABIC}.png`].map((name) => (
          <State key={name} name="240 px">
            <span className="block w-60">
              <FileName name={name} />
            </span>
          </State>
        ))}
      </Row>
    ),
  },
  {
    name: 'Faces',
    show: () => (
      <Row>
        {(['xs', 's'] as const).map((size) => (
          <State key={size} name={size}>
            <Faces of={people} size={size} />
          </State>
        ))}
        {(['s', 'm'] as const).map((size) => (
          <State key={size} name={`pair ${size}`}>
            <PairOfFaces of={people} size={size} />
          </State>
        ))}
      </Row>
    ),
  },
  {
    name: 'FileIcon',
    show: () => (
      <Row>
        {files.map(({ type, name }) => (
          <State key={name} name={name}>
            <FileIcon type={type} name={name} />
          </State>
        ))}
      </Row>
    ),
  },
  {
    name: 'Names',
    show: () => (
      <Row>
        <State name="one">
          <Names of={people.slice(0, 1)} />
        </State>
        <State name="right-to-left among others">
          <Names of={people.slice(0, 3)} />
        </State>
        <State name="cut">
          <span className="flex w-40">
            <Names of={people} />
          </span>
        </State>
        <State name="empty">
          <Names of={[]} />
        </State>
      </Row>
    ),
  },
  {
    name: 'PresenceDot',
    show: () => (
      <Row>
        <State name="online">
          <PresenceDot isOnline />
        </State>
        <State name="offline">
          <PresenceDot isOnline={false} />
        </State>
      </Row>
    ),
  },
  {
    name: 'Tag',
    show: () => (
      <Row>
        {['Private', 'Owner', ARABIC, LONG.slice(0, 24)].map((word) => (
          <State key={word} name={word === ARABIC ? 'right-to-left' : 'rest'}>
            <Tag>{word}</Tag>
          </State>
        ))}
      </Row>
    ),
  },
]
