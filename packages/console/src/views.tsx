import { Books, type BooksView } from "./books.tsx";
import type { Frame } from "./frame.ts";
import { Intent, type IntentView } from "./intent.tsx";
import { Notice, type NoticeView } from "./notice.tsx";
import { type PageName, pages, renderPage } from "./page.tsx";
import { Payments, type PaymentsView } from "./payments.tsx";
import { Queue, type QueueView } from "./queue.tsx";
import { Reconciliation, type ReconciliationView } from "./reconciliation.tsx";
import { Requests, type RequestsView } from "./requests.tsx";
import { Search, type SearchView } from "./search.tsx";
import { Todo, type TodoView } from "./todo.tsx";

export type View =
  | Readonly<{ of: "books"; view: BooksView }>
  | Readonly<{ of: "intent"; view: IntentView }>
  | Readonly<{ of: "notice"; view: NoticeView }>
  | Readonly<{ of: "payments"; view: PaymentsView }>
  | Readonly<{ of: "queue"; view: QueueView }>
  | Readonly<{ of: "reconciliation"; view: ReconciliationView }>
  | Readonly<{ of: "requests"; view: RequestsView }>
  | Readonly<{ of: "search"; view: SearchView }>
  | Readonly<{ of: "todo"; view: TodoView }>;

/** A view as an HTML document. */
export const renderView = (frame: Frame, shown: View): string =>
  renderPage({ frame, title: titleOf(shown), at: placeOf(shown), children: bodyOf(frame, shown) });

const placeOf = ({ of }: View): PageName | undefined => (of === "intent" || of === "notice" ? undefined : of);

function titleOf(shown: View): string {
  if (shown.of === "notice") return shown.view.title;
  return shown.of === "intent" ? "Payment" : pages[shown.of];
}

function bodyOf(frame: Frame, shown: View) {
  switch (shown.of) {
    case "books":
      return <Books frame={frame} view={shown.view} />;
    case "intent":
      return <Intent frame={frame} view={shown.view} />;
    case "notice":
      return <Notice view={shown.view} />;
    case "payments":
      return <Payments frame={frame} view={shown.view} />;
    case "queue":
      return <Queue frame={frame} view={shown.view} />;
    case "reconciliation":
      return <Reconciliation frame={frame} view={shown.view} />;
    case "requests":
      return <Requests frame={frame} view={shown.view} />;
    case "search":
      return <Search frame={frame} view={shown.view} />;
    case "todo":
      return <Todo frame={frame} view={shown.view} />;
  }
}
