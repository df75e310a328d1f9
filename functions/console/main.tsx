import { render } from "preact";
import { session } from "./session/session.ts";
import { SignIn } from "./session/sign-in.tsx";
import { Notices } from "./shell/notices.tsx";
import { Shell } from "./shell/shell.tsx";

function App() {
  return (
    <>
      {session.value ? <Shell /> : <SignIn />}
      <Notices />
    </>
  );
}

const place = document.getElementById("console");
if (place) render(<App />, place);
