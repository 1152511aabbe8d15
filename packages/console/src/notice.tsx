/** The replacement of a view that cannot be shown. */
export type NoticeView = Readonly<{ title: string; text: string }>;

export const Notice = ({ view }: Readonly<{ view: NoticeView }>) => <p class="alert">{view.text}</p>;
