import { Fragment, type ReactNode } from 'react'
import { t } from '../../../i18n/text.ts'
import { CodeBlock } from './code-block.tsx'
import { MessageLink } from './message-link.tsx'
import type { TreeNode } from './parse-markdown.ts'
import { isBare } from './quotes.ts'

interface RenderContext {
  /** The markdown source. */
  source: string
  /** Renders text that is not code. */
  renderText: (text: string, inLink: boolean) => ReactNode
  inLink: boolean
}

/** Deeper nodes are shown as source text, because they would be too narrow. */
const MAX_DEPTH = 16

/**
 * Renders a markdown tree. Only node types listed here become elements. Each top-level block has its own text direction;
 * CSS does the same for the lines in it.
 */
export function renderNodes(children: readonly TreeNode[], context: RenderContext, depth = 0): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: changed text renders anew
  return children.map((node, index) => <Fragment key={index}>{renderNode(node, context, depth)}</Fragment>)
}

function renderNode(node: TreeNode, context: RenderContext, depth: number): ReactNode {
  if (node.type === 'text') return context.renderText(node.value, context.inLink)
  if (depth > MAX_DEPTH) return sourceOf(node, context)
  const renderChildren = (inner = context) => ('children' in node ? renderNodes(node.children, inner, depth + 1) : null)
  const dir = depth === 0 ? 'auto' : undefined
  switch (node.type) {
    case 'paragraph':
      return <p dir={dir}>{renderChildren()}</p>
    case 'heading': {
      // One level below the page's own headings.
      const Heading = `h${Math.min(node.depth + 2, 6)}` as 'h3'
      return <Heading dir={dir}>{renderChildren()}</Heading>
    }
    case 'emphasis':
      return <em>{renderChildren()}</em>
    case 'strong':
      return <strong>{renderChildren()}</strong>
    case 'delete':
      return <del>{renderChildren()}</del>
    case 'inlineCode':
      return <code dir="ltr">{node.value}</code>
    case 'break':
      return <br />
    case 'thematicBreak':
      return <hr />
    case 'code':
      return <CodeBlock code={node.value} language={node.lang?.toLowerCase()} />
    case 'blockquote':
      return <blockquote dir={dir}>{renderChildren()}</blockquote>
    case 'list':
      return (
        <List list={node} dir={dir}>
          {renderChildren()}
        </List>
      )
    case 'listItem':
      return <Item item={node}>{renderChildren()}</Item>
    case 'table':
      return <Table table={node} context={context} depth={depth} />
    case 'link':
      if (context.inLink) return renderChildren()
      return (
        <MessageLink url={node.url} title={node.title ?? undefined} isBare={isBare(node)}>
          {renderChildren({ ...context, inLink: true })}
        </MessageLink>
      )
    // Images become links: loading one would reveal the reader to its host.
    case 'image':
      if (context.inLink) return node.alt || node.url
      return (
        <MessageLink url={node.url} title={node.title ?? undefined}>
          {node.alt || node.url}
        </MessageLink>
      )
    default:
      return sourceOf(node, context)
  }
}

type ListNode = Extract<TreeNode, { type: 'list' }>

function List({ list, dir, children }: { list: ListNode; dir: 'auto' | undefined; children: ReactNode }) {
  if (!list.ordered) return <ul dir={dir}>{children}</ul>
  const first = list.start ?? 1
  const digits = String(first + list.children.length - 1).length
  return (
    <ol dir={dir} start={first} style={{ paddingInlineStart: `max(1.5em, ${digits + 1.5}ch)` }}>
      {children}
    </ol>
  )
}

type ItemNode = Extract<TreeNode, { type: 'listItem' }>

function Item({ item: { checked }, children }: { item: ItemNode; children: ReactNode }) {
  if (typeof checked !== 'boolean') return <li>{children}</li>
  return (
    <li className="task">
      <input
        type="checkbox"
        checked={checked}
        disabled
        aria-label={checked ? t('messages.task.done') : t('messages.task.open')}
      />
      {children}
    </li>
  )
}

type TableNode = Extract<TreeNode, { type: 'table' }>

function Table({ table, context, depth }: { table: TableNode; context: RenderContext; depth: number }) {
  const [head, ...body] = table.children
  const cells = (row: TableNode['children'][number], Cell: 'th' | 'td') =>
    row.children.map((cell, column) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: changed text renders anew
      <Cell key={column} style={{ textAlign: table.align?.[column] ?? undefined }}>
        {renderNodes(cell.children, context, depth + 1)}
      </Cell>
    ))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    // biome-ignore lint/a11y/useSemanticElements: not a part of a form
    <div role="group" aria-label={t('messages.table')} tabIndex={0} className="table-frame">
      <table dir={depth === 0 ? 'auto' : undefined}>
        <thead>{head && <tr>{cells(head, 'th')}</tr>}</thead>
        <tbody>
          {body.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: changed text renders anew
            <tr key={index}>{cells(row, 'td')}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const sourceOf = ({ position }: TreeNode, { source }: RenderContext) =>
  source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0).replace(/\n[ \t]+/g, '\n')
