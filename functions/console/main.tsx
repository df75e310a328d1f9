import { render } from "preact";
import { FOLDER, useConfig } from "./api/config.ts";
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

useConfig(`${location.origin}${FOLDER}config.json`);
const place = document.getElementById("console");
if (place) render(<App />, place);
