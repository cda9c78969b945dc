import { Fragment, type ReactNode } from 'react'
import { CodeBlock } from './code-block.tsx'
import { MessageLink } from './message-link.tsx'
import type { TreeNode } from './parse-markdown.ts'

export interface Surroundings {
  /** The markdown source. */
  source: string
  /** Renders text that is not code. */
  words: (text: string, inLink: boolean) => ReactNode
  inLink: boolean
}

/** Deeper nodes are shown as source text, because they would have no room. */
const MAX_DEPTH = 16

/**
 * Renders a markdown tree. Only node types listed here become elements. Each top-level block has its own text direction;
 * CSS does the same for the lines within it.
 */
export function nodes(children: readonly TreeNode[], around: Surroundings, depth = 0): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a text that changed is shown anew
  return children.map((node, index) => <Fragment key={index}>{show(node, around, depth)}</Fragment>)
}

function show(node: TreeNode, around: Surroundings, depth: number): ReactNode {
  if (node.type === 'text') return around.words(node.value, around.inLink)
  if (depth > MAX_DEPTH) return typed(node, around)
  const within = (inner = around) => ('children' in node ? nodes(node.children, inner, depth + 1) : null)
  const dir = depth === 0 ? 'auto' : undefined
  switch (node.type) {
    case 'paragraph':
      return <p dir={dir}>{within()}</p>
    case 'heading': {
      // One level below the page's own headings.
      const Heading = `h${Math.min(node.depth + 2, 6)}` as 'h3'
      return <Heading dir={dir}>{within()}</Heading>
    }
    case 'emphasis':
      return <em>{within()}</em>
    case 'strong':
      return <strong>{within()}</strong>
    case 'delete':
      return <del>{within()}</del>
    case 'inlineCode':
      return <code dir="ltr">{node.value}</code>
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'code':
      return <CodeBlock code={node.value} language={node.lang?.toLowerCase()} />
    case 'blockquote':
      return <blockquote dir={dir}>{within()}</blockquote>
    case 'list': {
      if (!node.ordered) return <ul dir={dir}>{within()}</ul>
      const first = node.start ?? 1
      const digits = String(first + node.children.length - 1).length
      return (
        <ol dir={dir} start={first} style={{ paddingInlineStart: `max(1.5em, ${digits + 1.5}ch)` }}>
          {within()}
        </ol>
      )
    }
    case 'listItem':
      if (typeof node.checked !== 'boolean') return <li>{within()}</li>
      return (
        <li className="task">
          <input type="checkbox" checked={node.checked} disabled aria-label={node.checked ? 'Done' : 'To do'} />
          {within()}
        </li>
      )
    case 'table':
      return <Table table={node} around={around} depth={depth} />
    case 'link':
      if (around.inLink) return within()
      return (
        <MessageLink address={node.url} title={node.title ?? undefined} isBare={isBare(node)}>
          {within({ ...around, inLink: true })}
        </MessageLink>
      )
    // Images are links: loading one would reveal the reader to its host.
    case 'image':
      if (around.inLink) return node.alt || node.url
      return (
        <MessageLink address={node.url} title={node.title ?? undefined}>
          {node.alt || node.url}
        </MessageLink>
      )
    default:
      return typed(node, around)
  }
}

type TableNode = Extract<TreeNode, { type: 'table' }>

function Table({ table, around, depth }: { table: TableNode; around: Surroundings; depth: number }) {
  const [head, ...body] = table.children
  const cells = (row: TableNode['children'][number], Cell: 'th' | 'td') =>
    row.children.map((cell, column) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text that changed is shown anew
      <Cell key={column} style={{ textAlign: table.align?.[column] ?? undefined }}>
        {nodes(cell.children, around, depth + 1)}
      </Cell>
    ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: not a part of a form
    <div role="group" aria-label="Table" tabIndex={0} className="table-frame">
      <table dir={depth === 0 ? 'auto' : undefined}>
        <thead>{head && <tr>{cells(head, 'th')}</tr>}</thead>
        <tbody>
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a text that changed is shown anew
            <tr key={index}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** The link text is the URL, possibly without the scheme, as in 'example.com'. */
const isBare = ({ url, children: [text] }: Extract<TreeNode, { type: 'link' }>) =>
  text?.type === 'text' && url.endsWith(text.value)

const typed = ({ position }: TreeNode, { source }: Surroundings) =>
  source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0).replace(/\n[ \t]+/g, '\n')
